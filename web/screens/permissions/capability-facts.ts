// What each capability and each reach means, in words for an Admin.
import type { Capability, Reach } from '#contract/policy/actor.ts';

interface CapabilityFacts {
  readonly meaning: string;
  /** Follows 'will be able to'. */
  readonly deed: string;
}

export const capabilityFacts: Record<Capability, CapabilityFacts> = {
  'clients.manage': {
    meaning: 'Add, edit and delete the client companies they see.',
    deed: 'manage clients',
  },
  'users.manage': {
    meaning:
      'See everyone; add, edit and delete users and set their access lists, never beyond their own rights. Where they see everything, also look at the portal as a user has it.',
    deed: 'manage users',
  },
  'roles.manage': {
    meaning:
      'Add, rename and delete roles and decide what they may do, never beyond their own rights. Where they see everything, also what holds for the firm: its name and logo, four eyes, templates of requests.',
    deed: 'manage roles',
  },
  'report-types.manage': {
    meaning: 'See, add, rename and delete report types, and say by which phrases batches recognize them.',
    deed: 'manage report types',
  },
  'reports.upload': {
    meaning:
      'Upload reports for the clients and report types they see, and remind people by mail of those that nobody has opened.',
    deed: 'upload reports',
  },
  'documents.upload': {
    meaning: 'Upload company documents for the clients they see.',
    deed: 'upload company documents',
  },
  'files.delete': {
    meaning:
      'Delete the reports they see; where they see everything, company documents too, which otherwise only their uploader deletes, and they say how long files are kept and dispose of what is due. With a permission to upload, also re-file and replace them.',
    deed: 'delete reports',
  },
  'holds.manage': {
    meaning:
      'Put the files and clients they see on hold, so that nobody deletes, purges or replaces them, and lift holds again.',
    deed: 'put files and clients on hold',
  },
  'batches.manage': {
    meaning:
      'Drop files of many clients together and check the documents they are taken apart into. With the permission to delete reports, also recall what was released.',
    deed: 'drop, check and recall batches of files',
  },
  'batches.release': {
    meaning: 'With the permission to work with batches: release accepted documents to the clients they see.',
    deed: 'release documents of batches',
  },
  'requests.manage': {
    meaning: 'Ask the clients they see for documents, and accept or send back what comes.',
    deed: 'ask clients for documents',
  },
  'activity.read-clients': {
    meaning: "Read everyone's actions on the clients they see. Without it people read their own.",
    deed: "read everyone's activity on their clients",
  },
  'activity.read': {
    meaning:
      "Read everyone's actions, on every client and in the firm. Where they see everything, also run and cancel background jobs, read System and Mail and send test mails.",
    deed: "read everyone's activity",
  },
};

interface ReachFacts {
  readonly label: string;
  readonly meaning: string;
  /** Follows 'will'. */
  readonly deed: string;
}

export const reachFacts: Record<Reach, ReachFacts> = {
  all: {
    label: 'Everything',
    meaning: 'Every client and every report type, whatever the access lists say.',
    deed: 'see every client and report type',
  },
  lists: {
    label: 'Access lists',
    meaning: "Only the clients and report types in each user's access lists.",
    deed: 'see only the clients and report types in their access lists',
  },
};
