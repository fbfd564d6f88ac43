// Says on the home of an Admin that mails failed or wait for another try, and leads to them; nothing where all arrive.
import { IconMailExclamation } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FAILING } from '#contract/mail-states.ts';
import { mayAttempt } from '#contract/policy.ts';
import { mailFactsQuery } from '#web/data/mail.ts';
import { formatCount } from '#web/lib/format.ts';
import { useSessionUser } from '#web/lib/session.ts';
import classes from '#web/ui/warned-card.module.css';

export function MailCard() {
  const user = useSessionUser();
  const { data } = useQuery({ ...mailFactsQuery(), enabled: mayAttempt(user, 'mail.read') });
  const failing = data?.failing ?? 0;
  if (failing === 0) return null;
  return (
    <Link to="/mail" search={{ state: FAILING }} className={classes.card ?? ''}>
      <IconMailExclamation size={18} stroke={1.75} aria-hidden />
      <span>{failing === 1 ? 'A mail did not get through' : `${formatCount(failing)} mails did not get through`}</span>
    </Link>
  );
}
