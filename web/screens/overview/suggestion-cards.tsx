// Says on the home of whoever keeps phrases and other names how many are suggested, and leads to them; nothing where there are none.
import { IconBulb } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { formatCount } from '#web/lib/format.ts';
import { suggestionWords } from '#web/lib/remember-messages.ts';
import { useSuggestions } from '#web/parts/suggestions/suggestions.tsx';
import classes from '#web/ui/warned-card.module.css';

export function SuggestionCards() {
  return (
    <>
      <Card kind="type" to="/report-types" />
      <Card kind="client" to="/clients" />
    </>
  );
}

function Card({ kind, to }: { kind: 'type' | 'client'; to: string }) {
  const { length } = useSuggestions(kind);
  if (length === 0) return null;
  return (
    <Link to={to} className={classes.card ?? ''}>
      <IconBulb size={18} stroke={1.75} aria-hidden />
      <span>{suggestionWords.waiting[kind](formatCount(length), length === 1)}</span>
    </Link>
  );
}
