/** What can be found wrong with a device, the most urgent first among equally severe ones. */
export const findingRules = [
  'crash-loop',
  'disk-full',
  'certificate-ending',
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
