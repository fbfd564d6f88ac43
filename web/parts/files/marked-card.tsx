// Says on the home of staff how many uploads name another company, and leads to them; nothing where there are none.
import { IconFileAlert } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { mayAttempt } from '#contract/policy.ts';
import { markedCountQuery } from '#web/data/marked.ts';
import { formatCount } from '#web/lib/format.ts';
import { uploadsNaming } from '#web/lib/marked-messages.ts';
import { useSessionUser } from '#web/lib/session.ts';
import classes from '#web/ui/warned-card.module.css';
import { ofAllClients } from '../clients/chosen-client.ts';

export function MarkedCard() {
  const user = useSessionUser();
  const { data: count = 0 } = useQuery({ ...markedCountQuery(), enabled: mayAttempt(user, 'files.read-marks') });
  if (count === 0) return null;
  return (
    <Link to="/file-upload" search={{ marked: '1', ...ofAllClients(user) }} className={classes.card ?? ''}>
      <IconFileAlert size={18} stroke={1.75} aria-hidden />
      <span>{uploadsNaming(formatCount(count), count === 1)}</span>
    </Link>
  );
}
