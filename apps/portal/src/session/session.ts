import { createSessionKeeper } from './session-keeper.ts';
import { signInLayer } from './sign-in-layer.ts';
import { storedSubject } from './stored-subject.ts';

const LOCK = 'deviceportal.session-refresh';

/** This tab's session, refreshed by one tab at a time. */
export const session = createSessionKeeper({
  read: (options) => signInLayer().readSession(options),
  // Web Locks exist only in secure contexts; a plain-http page on a LAN does without.
  exclusively: (work) =>
    typeof navigator.locks === 'object' ? navigator.locks.request(LOCK, work) : work(),
  nowMs: () => Date.now(),
  storedSubject,
  onOtherPerson: () => location.assign('/'),
});
