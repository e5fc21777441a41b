import type { ChallengeRound } from './challenge-triggers.ts';

const PREFIX = 'CODE-';

/**
 * `challengeMetadata` of a code challenge, which the pool passes to the triggers of later rounds.
 */
export function codeMetadata(reference: string): string {
  return `${PREFIX}${reference}`;
}

/** The code of a round. */
export function codeReferenceOf(round: ChallengeRound | undefined): string | undefined {
  const metadata = round?.challengeMetadata;
  return metadata?.startsWith(PREFIX) === true ? metadata.slice(PREFIX.length) : undefined;
}
