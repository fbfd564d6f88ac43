// What the page Help says to a person: what this very person can do, in the words of the screens, and where.

import { counted } from '#contract/plain-words.ts';
import { can, isClientUser } from '#contract/policy/actor.ts';
import { mayAttempt } from '#contract/policy.ts';
import type { SessionUser } from '#contract/session.ts';
import { modifierLabel } from '#web/lib/modifier.ts';
import type { PagePath } from '#web/ui/page-link.ts';

export interface HelpTopic {
  /** In the address of the page. */
  readonly id: string;
  readonly title: string;
  readonly lines: readonly string[];
  /** Where it is done. */
  readonly to?: { readonly path: PagePath; readonly label: string };
}

/** What the server is set up with, as far as it is told here. */
export interface HelpSetting {
  readonly safeguards: boolean;
  readonly mailIsOn: boolean;
  readonly trashDays: number;
  readonly searchesInside: boolean;
}

const search = ({ searchesInside }: HelpSetting): HelpTopic => ({
  id: 'search',
  title: 'Search from anywhere',
  lines: [
    `"Search" at the top of every page, or ${modifierLabel} K, finds pages and files by parts of their names${searchesInside ? ', and documents by words that stand in them' : ''}.`,
    'The key ? shows what else works from the keyboard.',
  ],
});

const account = (path: PagePath = '/account-settings') => ({ path, label: 'Account Setting' });

function password({ mailIsOn }: HelpSetting): HelpTopic {
  return {
    id: 'password',
    title: 'Your password',
    lines: [
      'You change it under "Account Setting". There you also see on which devices you are signed in, and sign them out.',
      mailIsOn
        ? 'Forgotten? "Forgot password" on the sign-in page sends a link to your mail address. It is good once, for half an hour.'
        : 'Forgotten? An administrator of the firm sets a new one for you.',
      'Nobody of the firm asks you for your password.',
    ],
    to: account(),
  };
}

const mails: HelpTopic = {
  id: 'mails',
  title: 'Which mails you get',
  lines: [
    '"Mail" under "Account Setting" lists what you hear of by mail. You choose for each whether at once, every quarter of an hour, daily or never; else it goes by what the firm has set.',
    'The link at the foot of such a mail ends those of its kind.',
  ],
  to: account(),
};

const secondFactor: HelpTopic = {
  id: 'second-factor',
  title: 'The second factor',
  lines: [
    'Whoever learns your password still cannot sign in: after it the portal asks for something that only you have, such as your phone.',
    'An authenticator app shows six digits that change every half minute. A passkey is kept by your phone, computer or browser, which asks for your finger, face or PIN.',
    'You set up the first one when you sign in for the first time: for an app, scan the picture with it and type the six digits. Under "Account Setting", "Second factor" adds a passkey, and an app where there is none.',
    'Keep the recovery codes where only you find them. Each signs you in once when the phone is lost. When they are gone too, ask the firm to reset your second factor.',
  ],
  to: account(),
};

const trash = (days: number, what: string, ...further: readonly string[]): HelpTopic => ({
  id: 'trash',
  title: 'Something was deleted or sent by mistake',
  lines: [`${what} It stays in "Trash" for ${counted(days, 'day')} and is brought back from there.`, ...further],
  to: { path: '/trash', label: 'Trash' },
});

const reportsOf = (user: SessionUser): PagePath =>
  user.commonRouting && isClientUser(user) ? '/client-reports' : '/cpa-dashboard';

function forClient(user: SessionUser, setting: HelpSetting): HelpTopic[] {
  const sends = mayAttempt(user, 'files.upload') && can(user, 'documents.upload');
  return [
    {
      id: 'find',
      title: 'Find a report',
      lines: [
        '"Dashboard" begins with the reports that are new to you, or the latest ones.',
        '"Reports" has all of them, the newest first. Above them you search by words of their names and choose a period; "Show Filters" has report type and date.',
      ],
      to: { path: reportsOf(user), label: 'Reports' },
    },
    {
      id: 'download',
      title: 'Read, download and print it',
      lines: [
        'Press the name of a report to read it on its page. Above the pages of a PDF is "Print", which prints all of them.',
        '"Download" saves it on your computer. "Download All" saves everything that the list shows; several files come as one ZIP.',
      ],
      to: { path: reportsOf(user), label: 'Reports' },
    },
    {
      id: 'new',
      title: 'What "New" means',
      lines: [
        'A file has the mark "New" until you have opened or downloaded it, for 60 days at most. What your colleagues opened stays new to you. The numbers in the menu count the new ones.',
      ],
    },
    ...(sends
      ? [
          {
            id: 'send',
            title: 'Send a document to the firm',
            lines: [
              '"Upload Document" on "Firm Documents" sends one or several. Choose the files or drop them on the page, choose what they are, and press "Upload".',
              'The firm and the people of your company who use this portal see what you sent. Please send nothing confidential by mail: here it is protected.',
            ],
            to: { path: '/firm-documents', label: 'Firm Documents' },
          } satisfies HelpTopic,
          trash(setting.trashDays, 'You delete what you sent yourself on "Firm Documents".'),
        ]
      : []),
    ...(mayAttempt(user, 'requests.answer')
      ? [
          {
            id: 'requests',
            title: 'What the firm asks for',
            lines: [
              '"Dashboard" shows it below your new reports, and "Requests" has all of it. "Upload" at an item sends a file or a photograph of it; "Does not apply" says that there is none.',
              'An item that is sent back says what is wrong. Send it again there.',
            ],
            to: { path: '/requests', label: 'Requests' },
          } satisfies HelpTopic,
        ]
      : []),
  ];
}

type May = (action: Parameters<typeof mayAttempt>[1]) => boolean;

/** What goes between the firm and its clients. */
function exchanging(user: SessionUser, may: May): (HelpTopic | false)[] {
  return [
    {
      id: 'reports',
      title: 'Reports',
      lines: [
        may('files.read-readers')
          ? '"Reports" lists what you see by client and report type, says which people of a client see each report, and whether one has opened it.'
          : '"Reports" lists what you see by client and report type.',
        ...(can(user, 'reports.upload')
          ? [
              '"Upload Files" sends new ones; client, type and period are proposed from the name of the file and checked by you.',
            ]
          : []),
      ],
      to: { path: '/cpa-dashboard', label: 'Reports' },
    },
    may('batches.use') && {
      id: 'batches',
      title: 'A print file for many clients',
      lines: [
        '"New Batch" takes it as it is. Its pages are read and proposed as documents of clients; you look at them, accept and release.',
        ...(can(user, 'files.delete')
          ? [
              `What was released wrongly is recalled${may('files.read-readers') ? ', and you see who had opened it' : ''}.`,
            ]
          : []),
      ],
      to: { path: '/batches', label: 'Batches' },
    },
    {
      id: 'documents',
      title: 'What clients send',
      lines: ['"Firm Documents" has it. "New only" leaves what you have not opened yet.'],
      to: { path: '/firm-documents', label: 'Firm Documents' },
    },
    may('requests.manage') && {
      id: 'requests',
      title: 'Ask a client for documents',
      lines: [
        '"New Request" asks one client or many, item by item, with a day until when; a template has the items you ask for often.',
        'What a client sends is accepted or sent back with a reason. "Show" leaves what is late, and what is to review.',
      ],
      to: { path: '/requests', label: 'Requests' },
    },
  ];
}

/** What is missing, unopened, wrong, kept or past its years. */
function lookingAfter(user: SessionUser, may: May, setting: HelpSetting): (HelpTopic | false)[] {
  return [
    may('completeness.read') && {
      id: 'completeness',
      title: 'What is missing',
      lines: ['"Completeness" shows for each client which reports are due, there, late or missing.'],
      to: { path: '/completeness', label: 'Completeness' },
    },
    may('files.read-readers') && {
      id: 'unopened',
      title: 'What nobody has opened',
      lines: [
        `"Never Opened" on "Completeness" counts it by client and report type.${may('files.remind') && setting.mailIsOn ? ' One press reminds those who see it.' : ''}`,
      ],
      to: { path: '/completeness', label: 'Completeness' },
    },
    user.capabilities.includes('reports.upload') &&
      user.capabilities.includes('files.delete') && {
        id: 'versions',
        title: 'When a report was wrong',
        lines: [
          '"Upload correction" on its page sends a better one: the earlier report stays and is marked. With "Replace it" clients see the better one alone, and the earlier one is kept for staff on its page.',
        ],
      },
    may('holds.manage') && {
      id: 'holds',
      title: 'What must not go',
      lines: [
        '"Put on Hold" on the page of a client or a report keeps it: nobody deletes, replaces or moves it until the hold is lifted.',
      ],
    },
    may('retention.read') && {
      id: 'retention',
      title: 'How long files are kept',
      lines: [
        '"Retention" lists what is older than the years of its report type. Nothing goes by itself: you dispose of what you choose, and a certificate says what went.',
      ],
      to: { path: '/retention', label: 'Retention' },
    },
  ];
}

/** Clients, people and what they may do. */
function managing(may: May): (HelpTopic | false)[] {
  return [
    may('clients.create') && {
      id: 'clients',
      title: 'Clients',
      lines: [
        '"Add Client" adds one, "Import" many from a CSV file. The page of a client has its files, people and log.',
      ],
      to: { path: '/clients', label: 'Clients' },
    },
    may('users.create') && {
      id: 'users',
      title: 'People',
      lines: [
        '"Add User" adds somebody with a password that you tell them. Tick "Invite instead" and you get a link, by which they choose their own. A person sees a report where both of their lists have it: clients and report types.',
        ...(may('users.look')
          ? ['"See what this client sees" shows you the portal as a person has it; each look is in the log.']
          : []),
      ],
      to: { path: '/users', label: 'Users' },
    },
    may('report-types.create') && {
      id: 'report-types',
      title: 'Report types',
      lines: ['"Add Report Type" adds one. Phrases that stand on its pages let batches recognize it.'],
      to: { path: '/report-types', label: 'Report Types' },
    },
    (may('permissions.update') || may('permissions.explain')) && {
      id: 'permissions',
      title: 'Who may do and see what',
      lines: [
        '"User Permissions" says what each role may do; its tab "Who can see this?" answers for a person or a client, and why.',
      ],
      to: { path: '/permissions', label: 'User Permissions' },
    },
  ];
}

/** The log, the trash, and the portal itself. */
function overseeing(user: SessionUser, may: May, setting: HelpSetting): (HelpTopic | false)[] {
  const deletesForGood = (['users.manage', 'roles.manage', 'report-types.manage'] as const).some((each) =>
    can(user, each),
  );
  return [
    {
      id: 'activity',
      title: 'Who did what',
      lines: [
        can(user, 'activity.read') || can(user, 'activity.read-clients')
          ? '"Activity" lists what was uploaded, viewed, downloaded, changed and deleted, as far as you see it.'
          : '"Activity" lists what you did yourself.',
      ],
      to: { path: '/activity', label: 'Activity' },
    },
    (['files.delete', 'documents.upload', 'reports.upload', 'clients.manage'] as const).some((each) =>
      can(user, each),
    ) &&
      trash(
        setting.trashDays,
        `A file${can(user, 'clients.manage') ? ' or client' : ''} that you may delete is deleted in its row.`,
        ...(deletesForGood ? ['A user, role or report type that is deleted does not come back.'] : []),
      ),
    may('system.read') && {
      id: 'system',
      title: 'How the portal itself fares',
      lines: ['"System" says what is wrong with it and what to do: room, backups, background work and mail.'],
      to: { path: '/system', label: 'System' },
    },
    may('firm-settings.update') && {
      id: 'firm',
      title: 'What people see of the firm',
      lines: ['"Firm" has its name, logo, color, address and welcome text, and whom people write to who need help.'],
      to: { path: '/firm-settings', label: 'Firm' },
    },
  ];
}

function forStaff(user: SessionUser, setting: HelpSetting): HelpTopic[] {
  const may: May = (action) => mayAttempt(user, action);
  const topics = [
    ...exchanging(user, may),
    ...lookingAfter(user, may, setting),
    ...managing(may),
    ...overseeing(user, may, setting),
  ];
  return topics.filter((topic) => topic !== false);
}

/** All that this person is told, in order; nothing that the person cannot do. */
export function helpFor(person: SessionUser, setting: HelpSetting): readonly HelpTopic[] {
  const user = { ...person, look: null };
  return [
    ...(isClientUser(user) ? forClient(user, setting) : forStaff(user, setting)),
    search(setting),
    ...(setting.mailIsOn ? [mails] : []),
    password(setting),
    ...(setting.safeguards ? [secondFactor] : []),
  ];
}

export const helpWords = {
  title: 'Help',
  aboutClient: 'How to find, download and send files here, and whom to ask.',
  aboutStaff: 'What you can do here, and where.',
  contents: 'On this page',
  ask: 'Whom to ask',
  askClient: (firm: string) => `${firm} answers questions about your files and your account.`,
  askStaff: 'An administrator of the firm gives rights, resets passwords and second factors.',
  write: 'Write to',
  call: 'Call',
} as const;
