import { foldedForms } from './fold-name.ts';
import type { KnownNames } from './known-names.ts';
import { spansOf, type Detector, type TextSpan } from './text-span.ts';

const WORD = /[\p{L}\p{M}]+/gu;
const HANDLE = /[\p{L}\p{N}][\p{L}\p{M}\p{N}._-]{2,63}/gu;
/** English words that are also names: hidden only if capitalized. */
const ORDINARY = new Set(
  (
    'will mark rose may bill hope grace dean grant frank rich pat sue art gene jack long short small young king ' +
    'brown green white black gray grey reed stone wood wolf fox rice price page field hill lane may june april august ' +
    'summer winter baker cook mason miller porter carter fisher hunter ward case chance chase miles gold silver art ' +
    'guy ray dawn iris ivy joy faith star sky drew dale glen heath nick rob skip bob don max van ali'
  ).split(' '),
);
const CHINESE_TITLES =
  '先生|女士|小姐|太太|夫人|老师|师傅|经理|总监|主任|工程师|医生|教授|阿姨|叔叔|同学|总|工|哥|姐';
const CAPITALIZED = String.raw`\p{Lu}[\p{L}\p{M}'’-]+`;
const FOLLOWED = String.raw`(?<hide>${CAPITALIZED}(?:[ \u00A0](?:(?:von|van|der|de|da|del|la|le|bin|al|zu) ){0,2}${CAPITALIZED}){0,3})`;

/** Words that precede the name of a person, whether known or not. */
const INTRODUCED: readonly RegExp[] = [
  new RegExp(
    String.raw`(?<![\p{L}])(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Sir|Madam|Herr|Herrn|Frau|Familie|Fam|Monsieur|Madame|Mme|Mlle|Señora?|Sra?|Signora?|Sig|Sig\.ra|Dhr|Mevr|Pan|Pani|Gospodin|Gospođa)\.?[ \u00A0]+(?:(?:Dr|Prof)\.?[ ]+)?(?:\p{Lu}\.[ ]?)?${FOLLOWED}`,
    'gu',
  ),
  new RegExp(
    String.raw`(?<![\p{L}])(?:[Mm]y name is|[Tt]his is|[Nn]ame(?:d)?:?|[Cc]alled by|[Ss]poke (?:to|with)|[Tt]alked (?:to|with)|[Cc]ontact(?: person)?:?|[Cc]ustomer:|[Cc]aller:?|[Ss]igned by:?|[Rr]eported by:?|[Aa]sk for|[Nn]eighbou?r|[Cc]olleague|[Ww]ife|[Hh]usband|[Oo]wner:|[Uu]ser:|[Kk]undin?:?|[Nn]achbarin?|[Kk]ollegin?|[Aa]nsprechpartner(?:in)?:?)[ \u00A0]+(?!the\b|a\b)${FOLLOWED}`,
    'gu',
  ),
  /(?:我叫|我是|名叫|叫做|姓名|联系人|客户|用户|收件人|签收人|经办人|报修人|邻居|同事|妻子|丈夫)\s*(?:是|为)?\s*[:：]?\s*(?<hide>\p{Script=Han}{2,3})(?=[，。,.;；、\s:：（(]|$|(?:的|说|在|表示|反映|来电|先生|女士|打|已|要求|不))/gu,
];

/** Names of known people in every spelling, and names after a title or an introduction. */
export function nameDetector(known: KnownNames): Detector {
  const chinese = chinesePattern(known);
  return (text) => [
    ...spansOf(WORD, text)
      .filter((span) => isKnownWord(known, text.slice(span.from, span.to)))
      .map((span) => withInitial(text, span)),
    ...spansOf(HANDLE, text).filter((span) => isKnownHandle(known, text.slice(span.from, span.to))),
    ...(chinese === null ? [] : spansOf(chinese, text)),
  ];
}

/** Names recognized only by a preceding title or introduction. */
export const detectIntroducedNames: Detector = (text) => [
  ...INTRODUCED.flatMap((pattern) => spansOf(pattern, text)),
  ...spansOf(
    new RegExp(
      String.raw`(?<![\p{Script=Han}])(?:小|老|阿)?${SURNAMES}(?:${CHINESE_TITLES})(?![\p{Script=Han}]{0,1}具)`,
      'gu',
    ),
    text,
  ),
];

/** The hundred most frequent surnames, used before a title. */
const SURNAMES =
  '[王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤]';

function isKnownWord({ words }: KnownNames, word: string): boolean {
  const isLower = word === word.toLowerCase();
  return foldedForms(word).some((form) => {
    if (words.has(form)) return !(isLower && ORDINARY.has(form));
    const owned = /^(.{3,})s$/.exec(form)?.[1];
    // A possessive without its apostrophe, such as "Webers".
    return owned !== undefined && !isLower && words.has(owned);
  });
}

function isKnownHandle({ handles }: KnownNames, handle: string): boolean {
  return foldedForms(handle.replaceAll(/[._-]/g, '')).some(
    (form) => handles.has(form) || handles.has(form.replace(/\d+$/, '')),
  );
}

/** A single letter next to a name is its initial: "A. Weber", "Weber, A.". */
function withInitial(text: string, { from, to }: TextSpan): TextSpan {
  const before =
    /(?:^|[\s,;(:])(\p{Lu}\.\s?)$/u.exec(text.slice(Math.max(0, from - 5), from))?.[1] ?? '';
  const after = /^,?\s\p{Lu}\.(?!\p{L})/u.exec(text.slice(to, to + 5))?.[0] ?? '';
  return { from: from - before.length, to: to + after.length };
}

function chinesePattern({ chinese, chineseSurnames }: KnownNames): RegExp | null {
  if (chinese.length === 0) return null;
  const names = chinese.toSorted((one, other) => other.length - one.length);
  const titled = `(?:小|老|阿)(?:${chineseSurnames.join('|')})(?!\\p{Script=Han}{0,1}[心时是])|(?:${chineseSurnames.join('|')})(?:${CHINESE_TITLES})`;
  return new RegExp(`${names.join('|')}|${titled}`, 'gu');
}
