// Where the list and the page of a client get their dialog from.
export const loadClientDialog = () => import('./client-dialog.tsx').then(({ ClientDialog }) => ClientDialog);
