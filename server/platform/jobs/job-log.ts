// What the jobs tell the log of the server.
export interface JobLog {
  error(facts: object, message: string): void;
  info(facts: object, message: string): void;
}

export const silent: JobLog = { error() {}, info() {} };
