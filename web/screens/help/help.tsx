// The page Help: what this person can do here, where, and whom to ask; also on paper.
import { Anchor, Button, Text, Title } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { isClientUser } from '#contract/policy/actor.ts';
import { mailIsOn, safeguards, searchesInside, supportEmail, trashDays, useFirmFace } from '#web/lib/product.ts';
import { useSessionUser } from '#web/lib/session.ts';
import { PhoneLink } from '#web/parts/firm/phone-link.tsx';
import { PageHeader } from '#web/ui/page-header.tsx';
import { PageLink } from '#web/ui/page-link.ts';
import classes from './help.module.css';
import { helpFor, helpWords } from './help-messages.ts';

const ASK = 'ask';

export function HelpScreen() {
  const user = useSessionUser();
  const isClient = isClientUser(user);
  const topics = helpFor(user, { safeguards, mailIsOn, trashDays, searchesInside });
  return (
    <>
      <PageHeader
        title={helpWords.title}
        subtitle={isClient ? helpWords.aboutClient : helpWords.aboutStaff}
        actions={
          <Button variant="default" leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
            Print
          </Button>
        }
      />
      <div className={classes.page}>
        <nav aria-label={helpWords.contents} className={classes.contents}>
          <p className={classes.contentsTitle}>{helpWords.contents}</p>
          <ul>
            {[...topics, { id: ASK, title: helpWords.ask }].map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <div className={classes.topics}>
          {topics.map(({ id, title, lines, to }) => (
            <Topic key={id} id={id} title={title}>
              {lines.map((line) => (
                <Text key={line}>{line}</Text>
              ))}
              {to ? (
                <p className={classes.way} data-screen-only>
                  <Anchor component={PageLink} to={to.path}>
                    Go to {to.label}
                  </Anchor>
                </p>
              ) : null}
            </Topic>
          ))}
          <Topic id={ASK} title={helpWords.ask}>
            <WhomToAsk isClient={isClient} />
          </Topic>
        </div>
      </div>
    </>
  );
}

function Topic({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={id} className={classes.topic}>
      <Title order={2} size="h3" id={id} tabIndex={-1}>
        {title}
      </Title>
      {children}
    </section>
  );
}

/** By whatever ways the firm names; for staff that is an Admin before all. */
function WhomToAsk({ isClient }: { isClient: boolean }) {
  const { name, phone, address } = useFirmFace();
  const email = supportEmail();
  return (
    <>
      <Text>{isClient ? helpWords.askClient(name) : helpWords.askStaff}</Text>
      <address className={classes.address}>
        <span>
          {helpWords.write} <Anchor href={`mailto:${email}`}>{email}</Anchor>
        </span>
        {phone === '' ? null : (
          <span>
            {helpWords.call} <PhoneLink phone={phone} />
          </span>
        )}
        {address === '' ? null : (
          <span className={classes.lines}>
            {name}
            {'\n'}
            {address}
          </span>
        )}
      </address>
    </>
  );
}
