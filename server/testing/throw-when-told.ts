// Loaded into a server that is a process of its own, before its own code: on SIGWINCH it throws what nobody catches, as a fault of the program would.
import process from 'node:process';

process.once('SIGWINCH', () => {
  throw new Error('nobody catches this');
});
