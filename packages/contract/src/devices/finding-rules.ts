/** Rules for findings, the most urgent first within the same severity. */
export const findingRules = [
  'crash-loop',
  'disk-full',
  'certificate-ending',
  'agent-unsupported',
  'unusual-silence',
  'unstable-connection',
  'repeated-failures',
  'clock-wrong',
  'outside-countries',
  'behind-approved',
] as const;
export type FindingRule = (typeof findingRules)[number];

export function isFindingRule(text: string): text is FindingRule {
  return (findingRules as readonly string[]).includes(text);
}
