import { API_PATH } from '@deviceportal/contract/constants';
import { session } from './session.ts';

/**
 * Ends the step-up of this session. External providers do not report the end of a session to the
 * portal.
 */
export async function withdrawStepUp(): Promise<void> {
  await fetch(`${API_PATH}/stepUp.end`, {
    method: 'POST',
    headers: {
      authorization: `bearer ${await session.idToken()}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ json: null }),
    keepalive: true,
  });
}
