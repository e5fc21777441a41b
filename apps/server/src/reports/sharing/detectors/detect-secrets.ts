import { detectorOf } from './text-span.ts';

const NAMES = [
  String.raw`pass(?:word|wort|phrase|code|wd|wrd)?`,
  String.raw`pwd|pw|pin|puk|otp|tan|kennwort|contrase(?:ñ|n)a|mot de passe`,
  String.raw`secret|token|credentials?|psk|cookie|session(?:[-_ ]?id)?|sid|jwt|signature`,
  String.raw`(?:api|access|private|secret|encryption|shared|license|wpa|wifi|wi-fi)[-_ ]?key`,
  String.raw`(?:verification|security|access|sign-?in|login|one-time|recovery)[-_ ]?code`,
].join('|');
const CHINESE_NAMES =
  '密码|口令|密钥|秘钥|私钥|令牌|凭据|凭证|验证码|校验码|动态码|恢复码|授权码|访问码|会话(?:标识)?';
/** Up to the end of a quoted text, or of a word. */
const VALUE = String.raw`"[^"\n]{0,500}"?|'[^'\n]{0,500}'?|[^\s,;&}"']+`;

/**
 * Secrets recognized by their format (PEM, JSON web tokens, access keys of known services) and by a preceding name,
 * as in assignments, headers, command lines, URLs, and sentences, in English and Chinese.
 */
export const detectSecrets = detectorOf([
  /-----BEGIN [^-\n]{1,80}-----(?:(?!-----END)[\s\S]){0,20000}(?:-----END [^-\n]{1,80}-----)?/g,
  /\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}\b/g,
  /\beyJ[\w-]{8,}(?:\.[\w-]+){0,4}/g,
  /\b(?:gh[pousr]|github_pat|glpat|xox[abeprs]|sk|pk|rk|npm|pypi|hf|shpat|dop_v1|whsec)[-_][\w-]{12,}/g,
  /\bAIza[\w-]{30,}/g,
  /\bSG\.[\w-]{16,}\.[\w-]{16,}/g,
  /\bage-secret-key-1[\da-z]{20,}/gi,
  /(?<![\w/+])(?=[\w/+]{0,80}\d)(?=[\w/+]{0,80}[a-z])(?=[\w/+]{0,80}[A-Z])[A-Za-z\d/+]{36,}={0,2}(?![\w/+])/g,
  // The value of an HTTP header extends to the end of its line (RFC 9110, section 5.5).
  /\b(?:set-)?cookie["']?\s*[:=]\s*(?<hide>[^\r\n]{1,4000})/gi,
  /\b(?:proxy-)?authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|digest|token|negotiate|apikey|aws4-hmac-sha256)\s+)?(?<hide>[^\r\n"']{1,4000})/gi,
  /\bx-[a-z-]{0,30}(?:key|token|secret|signature)["']?\s*[:=]\s*(?<hide>[^\r\n]{1,4000})/gi,
  /\b(?:bearer|basic)\s+(?<hide>[\w.~+/=-]{6,})/gi,
  // User information of a URL (RFC 3986, section 3.2.1).
  /\b[a-z][a-z\d+.-]{0,30}:\/\/(?<hide>[^\s/@]{1,500})@/gi,
  // As a command line option, such as `--password x`; `-p x` is distinguished from a path or port by the program
  // before it.
  new RegExp(
    String.raw`(?<![\w-])--?(?:[\w]{1,30}[-_.])?(?:${NAMES})(?:\s*=\s*|\s+)(?<hide>${VALUE})`,
    'gi',
  ),
  /\b(?:mysql|mysqldump|sshpass|mariadb|smbclient|redis-cli|mosquitto_(?:pub|sub))\b[^\n]{0,200}?\s-[pPaU]\s?(?<hide>[^\s-][^\s]*)/g,
  /\bcurl\b[^\n]{0,300}?\s(?:-u|--user)[\s=]+(?<hide>\S+)/g,
  // As an assignment, with any prefix: DB_PASSWORD=x, "clientSecret": "x", wpa_passphrase=x, password is x.
  new RegExp(
    String.raw`[\w.-]{0,60}(?:${NAMES})[\w-]{0,30}["'\]]?\s*(?:[:=]>?|：|＝|:=|\bis\b|\bwas\b|\bist\b|\blautet\b)\s*(?<hide>${VALUE})`,
    'gi',
  ),
  // In a sentence: "the PIN 4711", "password hunter2!".
  /\b(?:pin|puk|otp|tan|passcode)(?:\s+(?:code|number|no\.?))?\s+(?<hide>\d[\d -]{2,11}\d)(?!\d)/gi,
  /\b(?:password|passwort|passphrase|kennwort)\s+(?:to\s+|of\s+)?(?<hide>(?=[^\s]*[\d!#$%&*?@^_+=])[^\s,;]{4,})/gi,
  new RegExp(
    String.raw`(?:${CHINESE_NAMES})[^\S\n]*(?:[:：=＝]|是|为|已?改为|改成|设为|设置为)[^\S\n]*(?<hide>"[^"\n]{0,500}"?|“[^”\n]{0,500}”?|「[^」\n]{0,500}」?|[^\s,，;；。、&}]+)`,
    'g',
  ),
  new RegExp(String.raw`(?:${CHINESE_NAMES})[^\S\n]*(?<hide>[\x21-\x7e]{4,200})`, 'g'),
]);
