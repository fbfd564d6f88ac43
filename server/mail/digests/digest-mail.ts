// The mail that tells somebody what is new or was deleted. What it names is read when it is sent, as its person sees it then.
import { z } from 'zod';
import { localDay } from '#contract/days.ts';
import { DIGEST_TOPICS, type DigestPace, type DigestTopic, digestTopicWords } from '#contract/digest-words.ts';
import { counted } from '#contract/plain-words.ts';
import { isClientUser } from '#contract/policy/actor.ts';
import { type LetterFrame, mailKind, NOT_WANTED, personOf, REPORTS_PAGE } from '../mail-kind.ts';
import { choiceOf, readUsual } from './choices.ts';
import { endingLink } from './ending.ts';
import { noteReminded, readReminded, requestWords } from './request-news.ts';
import type { Told } from './source.ts';
import { moreThanNamed, readNews } from './sources.ts';

interface TopicWords {
  readonly heading: (total: number) => string;
  readonly said: (total: number) => string;
  readonly button: string;
}

const NEW = () => 'There is something new for you to see.';
const WORDS: Readonly<Record<DigestTopic, TopicWords>> = {
  reports: { heading: (total) => counted(total, 'new report'), said: NEW, button: 'Open Reports' },
  documents: { heading: (total) => counted(total, 'new document'), said: NEW, button: 'Open Documents' },
  deleted: {
    heading: (total) => counted(total, 'deleted file'),
    said: (total) => (total === 1 ? 'This file was deleted.' : 'These files were deleted.'),
    button: 'Open the Portal',
  },
  requests: {
    heading: (total) => `${counted(total, 'thing')} your firm asks for`,
    said: () => 'Your firm waits for you. What it asks for, and how to send it, is in the portal.',
    button: 'Open Requests',
  },
};
/** To those who ask. */
const ANSWERS: TopicWords = {
  ...WORDS.requests,
  heading: (total) => `${counted(total, 'answer')} from clients`,
  said: () => 'Clients have answered what you ask for.',
};
/** To those who are asked, where all that a mail tells is of one kind: it looks like no other in a list of mails. */
const ASKED: Readonly<Record<string, Pick<TopicWords, 'heading' | 'said'>>> = {
  new: { heading: (total) => counted(total, 'new request'), said: WORDS.requests.said },
  reopened: { heading: (total) => `${counted(total, 'request')} open again`, said: WORDS.requests.said },
  redated: {
    heading: (total) => counted(total, 'changed due day'),
    said: (total) => `Your firm has changed when ${total === 1 ? 'this is' : 'these are'} due.`,
  },
  due: {
    heading: (total) => `Reminder of ${counted(total, 'request')}`,
    said: () => 'Your firm still waits for what it has asked you for.',
  },
  open: {
    heading: (total) => counted(total, 'new item'),
    said: () => 'Your firm has added to what it asks you for. How to send it is in the portal.',
  },
  sentBack: {
    heading: (total) => `${counted(total, 'item')} sent back to you`,
    said: (total) =>
      total === 1
        ? 'Your firm needs it once more. The reason is in the portal.'
        : 'Your firm needs them once more. The reasons are in the portal.',
  },
};

function wordsOf(
  topic: DigestTopic,
  isClient: boolean,
  { told, total, reminded }: { readonly told: readonly Told[]; readonly total: number; readonly reminded: number },
): TopicWords {
  if (topic !== 'requests') return WORDS[topic];
  if (!isClient) return ANSWERS;
  const [first] = told;
  // What is not named is known to be of that kind where all are reminders.
  const isKnown = told.length === total || reminded === total;
  const isOfOneKind = isKnown && told.every(({ kind }) => kind === first?.kind);
  return { ...WORDS.requests, ...(isOfOneKind ? ASKED[first?.kind ?? ''] : undefined) };
}

const OFTEN: Readonly<Record<DigestPace, string>> = {
  atOnce: 'at once',
  quarterHour: 'every quarter of an hour',
  daily: 'once a day',
  // Not sent.
  never: 'never',
};

/** The list in which it is found: of all clients and report types, whichever the person has chosen there. */
function pageOf(topic: DigestTopic, isClient: boolean): string {
  if (topic === 'documents') return '/firm-documents?client=all';
  if (topic === 'deleted') return '/';
  // What waits for the person, in the order of the mail.
  if (topic === 'requests')
    return isClient ? '/requests?client=all&state=open&sort=dueOn' : '/requests?due=review&client=all';
  // Payroll Reports shows one report type at a time, and another one than that of the mail.
  return isClient ? REPORTS_PAGE : '/file-upload?client=all';
}

function aboutOf(topic: DigestTopic, told: Told, today: string, moment: LetterFrame['moment']): string | null {
  if (topic === 'requests') return requestWords(told, today);
  return topic === 'deleted' ? moment(told.at) : told.kind;
}

export const digestMail = mailKind({
  name: 'digest',
  title: 'What is new',
  facts: z.strictObject({ topic: z.enum(DIGEST_TOPICS), after: z.int(), until: z.int() }),

  async outdated(mail, now) {
    const person = await personOf(mail, now);
    if (typeof person === 'string') return person;
    return (await choiceOf(now.db, person, mail.facts.topic)).pace === 'never' ? NOT_WANTED : null;
  },

  async contents({ facts: { topic, ...moments }, userId }, { db, at, findPerson, readAs, sealer }) {
    const person = userId === null ? null : await findPerson(userId);
    if (person === null) return null;
    const { timeZone, changed } = await readUsual(db);
    const span = { ...moments, timeZone, changed };
    const { told, total } = await readNews(readAs(person), topic, span);
    if (total === 0) return null;
    const reminded = topic === 'requests' ? await readReminded(readAs(person), span) : [];
    return {
      told,
      total,
      reminded,
      today: localDay(at, timeZone),
      words: wordsOf(topic, isClientUser(person), { told, total, reminded: reminded.length }),
      pace: (await choiceOf(db, person, topic)).pace,
      page: pageOf(topic, isClientUser(person)),
      ending: await endingLink(sealer, topic, person.id),
    };
  },

  async noteSent(_mail, { reminded }, { tx, at }) {
    await noteReminded(tx, reminded, at);
  },

  letter({ facts: { topic } }, { product, link, moment }, { told, total, today, words, pace, page, ending }) {
    const heading = words.heading(total);
    return {
      subject: `${product}: ${heading}`,
      heading,
      paragraphs: [words.said(total)],
      items: told.map((one) => {
        const about = [one.clientName, aboutOf(topic, one, today, moment)].filter((part) => part !== null);
        return [one.name, about.join(', ')] as const;
      }),
      ...moreThanNamed(total),
      button: { label: words.button, href: link(page) },
      after: [
        `You get mails about ${digestTopicWords(topic)} ${OFTEN[pace]}. You change that in the portal, under Account Settings.`,
      ],
      ending: {
        label: `No more mails about ${digestTopicWords(topic)}`,
        href: link(`/end-mails#${ending}`),
        oneClick: link(`/api/digests/end?token=${ending}`),
      },
    };
  },
});
