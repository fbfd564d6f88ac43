/** A switch for the question of the browser before the site is left. Each list of files has its own: the end of one does not end that of another. */
export function leavingQuestion(): (isAtStake: boolean) => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  return (isAtStake) => {
    if (isAtStake) window.addEventListener('beforeunload', ask);
    else window.removeEventListener('beforeunload', ask);
  };
}
