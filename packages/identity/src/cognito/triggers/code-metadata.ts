import type { ChallengeRound } from './challenge-triggers.ts';

const PREFIX = 'CODE-';

/** `challengeMetadata` of a challenge that asks for a code: the pool shows it to the triggers of later rounds. */
export function codeMetadata(reference: string): string {
  return `${PREFIX}${reference}`;
}

/** The code that a round asked for. */
export function codeReferenceOf(round: ChallengeRound | undefined): string | undefined {
  const metadata = round?.challengeMetadata;
  return metadata?.startsWith(PREFIX) === true ? metadata.slice(PREFIX.length) : undefined;
}
