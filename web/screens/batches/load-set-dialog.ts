// Where the review gets the dialog that files several documents together from: only who ticks some needs it.
export const loadSetDialog = () => import('./set-dialog.tsx').then(({ SetDialog }) => SetDialog);
