/** For `beforeunload`, while files are sent: leaving the site would stop it. */
export const askBeforeLeaving = (event: BeforeUnloadEvent) => event.preventDefault();
