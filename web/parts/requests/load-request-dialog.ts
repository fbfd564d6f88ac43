// The dialog that asks clients, loaded when it is first opened.
export const loadRequestDialog = () => import('./request-dialog.tsx').then(({ RequestDialog }) => RequestDialog);
