/** Texts in a language, log lines and texts of the command line, or guides. */
export type Place = 'en' | 'zh-CN' | 'log' | 'doc';

interface ForbiddenWords {
  readonly words: RegExp;
  /** What to write instead, or the reason. */
  readonly instead: string;
  readonly places: readonly Place[];
  /** Texts that use the words in another, correct sense. */
  readonly except?: RegExp;
}

const en = ['en'] as const;
/** Everything in English. */
const english = ['en', 'log', 'doc'] as const;
const enAndDoc = ['en', 'doc'] as const;
const zh = ['zh-CN'] as const;

/** The "not" column of docs/glossary.md, and signs of translated text that can be detected. */
const forbiddenWords: readonly ForbiddenWords[] = [
  {
    words: /\b(somebody|nobody|everybody|anybody|whoever)\b/i,
    instead: 'name the role: user, administrator, approver',
    places: english,
  },
  { words: /\bone (sees|may|can|has|must)\b|\bone a line\b/i, instead: 'you', places: enAndDoc },
  { words: /\b(go|goes|going|went) on\b/i, instead: 'continue, resume', places: english },
  {
    words: /\blook(s|ed|ing)? (at|for|after|into|further|back|first|afterwards)\b/i,
    instead: 'view, search, check',
    places: english,
  },
  { words: /\b(tells?|told)\b/i, instead: 'notify, report, show', places: english },
  { words: /\bmade\b|\bmaking\b/i, instead: 'create, change', places: en, except: /changes/ },
  {
    words: /\b(lent|gave|taken away|given back|let go)\b/i,
    instead: 'assign, remove',
    places: enAndDoc,
  },
  {
    words: /\bwaits (for|its)\b|stands? still|\bput on record\b|\bon record\b/i,
    instead: 'waiting for, stalled, added, registered',
    places: enAndDoc,
  },
  {
    words: /\b(any more|no more [a-z]+ )/i,
    instead: 'no longer',
    places: english,
    except: /no more commands/i,
  },
  {
    words: /\b(exists?|done|has it|has this|have it|above|default) already\b/i,
    instead: 'already exists',
    places: english,
  },
  {
    words: /\b(at once|by itself|for a time|for good|anew|meanwhile|beside|from that moment)\b/i,
    instead: 'immediately, automatically, temporary, permanently, again',
    places: english,
    except: /devices at once/i,
  },
  {
    words: /\bEmpty (takes|means|removes|shows)|\bEmpty:|, or nothing\b/,
    instead: 'Leave empty to …',
    places: en,
  },
  {
    words:
      /\b(mend\w*|broke|ran out|runs out of time|reckoned|its turn|good for nothing|made no sense)\b/i,
    instead: 'fix, interrupted, expired, estimated, queued',
    places: english,
  },
  {
    words: /\b(twins?|then and now|rhythm|alike|to the letter)\b/i,
    instead: 'similar devices, history, repeated',
    places: enAndDoc,
  },
  {
    words: /\b(under way|(is|are) away|is out(?! of date))\b/i,
    instead: 'in progress, offline',
    places: english,
  },
  {
    words: /\b(roles? for a time|freeze|no-go|the blast|cold storage|role for programs)\b/i,
    instead: 'the term of docs/glossary.md',
    places: enAndDoc,
  },
  {
    words:
      /\bmay (run|go|read|do|be asked|be called|be sent|be empty|be tried|not|see|give|answer|begin)\b/,
    instead: 'can, or need the permission',
    places: en,
  },
  {
    words: /\b(favourite|catalogue|organisation|normalis|artefact|cancelled|enrols?\b|behaviour)/i,
    instead: 'American spelling',
    places: english,
    // The agent's command.
    except: /^enrol( |$)/,
  },
  { words: /\be-mail|\buser name\b/i, instead: 'email, username', places: enAndDoc },
  {
    words:
      /\b(says? (so|that|who|what)|is said|is told|so (many|long) (devices|as|a)|stands in)\b/i,
    instead: 'show, report, contain',
    places: ['log', 'doc'],
  },
  {
    words: /\b(cut off|cold months?|for ever|in clear|wide open|right or wrong)\b/i,
    instead: 'truncated, archived months, forever, unencrypted',
    places: ['log', 'doc'],
  },
  { words: /它/, instead: '重复名词或省略主语', places: zh },
  { words: /[\u4e00-\u9fff}][,:;?!](?=[\u4e00-\u9fff {]|$)/, instead: '全角标点', places: zh },
  { words: /[\u4e00-\u9fff] ?\([^()]*\)/, instead: '全角括号', places: zh },
  {
    words: /[\u4e00-\u9fff][A-Za-z0-9]|[A-Za-z0-9%][\u4e00-\u9fff]/,
    instead: '汉字与拉丁字母、数字之间留空格',
    places: zh,
  },
  { words: /你/, instead: '您', places: zh },
  { words: /我们/, instead: '服务出现异常', places: zh },
  { words: /\bone \{/, instead: '中文复数只需 =0 与 other', places: zh },
  { words: / %/, instead: '“%”前无空格', places: zh, except: /台或 %/ },
  { words: /国家(?!\/地区|代码)/, instead: '国家/地区', places: zh },
  { words: /代理(?!程序|服务器)/, instead: '设备代理程序', places: zh },
  { words: /审计追踪|审计记录/, instead: '审计日志', places: zh },
  { words: /金丝雀/, instead: '灰度', places: zh },
  { words: /限时角色|担任/, instead: '临时权限，扮演角色', places: zh },
  { words: /身份提供方|服务提供方/, instead: '身份提供商，服务提供商', places: zh },
  { words: /账户/, instead: '账号', places: zh },
  { words: /请求编号|事件编号|引用编号/, instead: '请求 ID，事件 ID', places: zh },
  { words: /注册凭证|接入凭证|认领令牌/, instead: '注册令牌', places: zh },
  { words: /定时任务/, instead: '计划任务', places: zh },
  { words: /恢复代码|两步验证|第二因素/, instead: '恢复码，二次验证', places: zh },
  { words: /冷存储/, instead: '归档', places: zh },
  { words: /没有人|任何人|(?<!持)有人/, instead: '暂无，没有用户，其他用户', places: zh },
];

interface Finding {
  readonly text: string;
  readonly found: string;
  readonly instead: string;
}

/** Forbidden words in a text for this place; names of ICU arguments are ignored. */
export function findForbiddenWords(text: string, place: Place): readonly Finding[] {
  const read = text.replaceAll(/\{\w+(?:, (?:select|plural|number)(?=,)|\})/g, (argument) =>
    argument.endsWith('}') ? '{}' : '{',
  );
  return forbiddenWords.flatMap(({ words, instead, places, except }) => {
    const found = places.includes(place) ? words.exec(read)?.[0] : undefined;
    if (found === undefined || except?.test(text) === true) return [];
    return [{ text, found, instead }];
  });
}
