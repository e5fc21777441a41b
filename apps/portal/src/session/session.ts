import { createSessionKeeper } from './session-keeper.ts';
import { signInLayer } from './sign-in-layer.ts';
import { storedSubject } from './stored-subject.ts';

const LOCK = 'deviceportal.session-refresh';

/** The session of this tab, refreshed by one tab at a time. */
export const session = createSessionKeeper({
  read: (options) => signInLayer().readSession(options),
  // Web Locks exist only in secure contexts. On plain HTTP, tabs refresh without a lock.
  exclusively: (work) =>
    typeof navigator.locks === 'object' ? navigator.locks.request(LOCK, work) : work(),
  nowMs: () => Date.now(),
  storedSubject,
  onOtherPerson: () => location.assign('/'),
});
