// The dialog of what is expected of a client, for the two screens that open it.
export const loadExpectationsDialog = async () => (await import('./expectations-dialog.tsx')).ExpectationsDialog;
