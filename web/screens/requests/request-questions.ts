// What is asked before a request is closed, or a template deleted.

export const requestQuestions = {
  close: 'Nothing more can be sent for it. What was sent stays, and you can reopen it.',
  deleteTemplate: 'Requests that were made with it stay as they are.',
} as const;
