// Where the review gets the dialog that recalls documents from: only whoever recalls needs what judges the reason.
export const loadRecallDialog = () => import('./recall-dialog.tsx').then(({ RecallDialog }) => RecallDialog);
