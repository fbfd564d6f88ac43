// Where the review gets the dialog that asks for the password of a file from.
export const loadPasswordDialog = () => import('./password-dialog.tsx').then(({ PasswordDialog }) => PasswordDialog);
