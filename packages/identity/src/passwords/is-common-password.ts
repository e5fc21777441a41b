/** Passwords that people often choose, in lower case; undefined before the first question. */
let known: Promise<ReadonlySet<string>> | undefined;

async function load(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/**
 * Whether many others have it as well (NIST SP 800-63B, section 5.1.1.2), also with a few digits and signs around, which
 * are what is tried first. A phrase with a common word in it is none.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  const passwords = await (known ??= load());
  const folded = password.normalize('NFKC').toLowerCase();
  const [word = ''] = /\p{L}(?:.*\p{L})?/su.exec(folded) ?? [];
  const isMostOfIt = word.length * 2 >= folded.length;
  return passwords.has(folded) || (isMostOfIt && passwords.has(word));
}
