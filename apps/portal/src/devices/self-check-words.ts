import type { Translate } from '../i18n/use-t.ts';

/** What agents say about a failing part is English; these are its sentences, with what varies in them by name. */
const sentences = [
  ['used', /^(?<percent>\d+) % used$/],
  ['used-root', /^(?<percent>\d+) % of \/ used$/],
  ['used-state', /^(?<percent>\d+) % used where the agent keeps its state$/],
  ['used-by', /^(?<percent>\d+) % used, most of it by (?<name>.+)$/],
  ['clock', /^(?<size>\d+) (?<unit>min|s) (?<direction>behind|ahead)$/],
  ['lost', /^(?<percent>\d+) % of packets lost$/],
  ['crashing', /^(?<name>.+) keeps crashing$/],
  ['outdated', /^(?<name>\S+) (?<version>\S+) is too old for its settings, needs (?<needed>\S+)$/],
  ['certificate', /^the certificate ends in (?<days>\d+) days$/],
] as const;

/** A fact in the person's language; what an agent of another release says stands as it came. */
export function selfCheckFactWords(fact: string, t: Translate): string {
  for (const [name, sentence] of sentences) {
    const found = sentence.exec(fact)?.groups;
    if (found !== undefined) return t(`devices.fact.${name}`, { ...found });
  }
  return fact;
}
