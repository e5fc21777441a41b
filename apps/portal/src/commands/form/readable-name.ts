/** Words that are written in capital letters. */
const capitals = new Set([
  ...['api', 'cpu', 'dns', 'http', 'https', 'id', 'ip', 'json', 'os', 'pid', 'ram', 'ssh', 'ssid'],
  ...['tls', 'ttl', 'uri', 'url', 'usb', 'utc', 'vpn'],
]);

/** A name of a program in words: "Log level" for `logLevel`, `log_level`, or `log-level`. */
export function readableName(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '')
    .map(inSentence);
  const [first = name, ...rest] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(' ');
}

function inSentence(word: string): string {
  const lower = word.toLowerCase();
  if (capitals.has(lower)) return word.toUpperCase();
  // Abbreviations stay as they are written.
  return word.length > 1 && word === word.toUpperCase() ? word : lower;
}
