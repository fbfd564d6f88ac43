// Loaded into a server that is a process of its own, before its own code: new work in the background is found within a second.
import { Jobs } from '../jobs/jobs.ts';

Jobs.lookRoundEveryMs = 1_000;
