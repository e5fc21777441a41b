import { detectorOf } from './text-span.ts';

const AFTER_DEGREES = String.raw`\s*(?:°|º|deg)?\s*(?:\d{1,2}\s*['’′]\s*(?:\d{1,2}(?:\.\d+)?\s*(?:["”″]|'')?)?)?\s*`;
const SIGNED = String.raw`[+-]?\d{1,3}\.\d{2,12}`;
const PRECISE = String.raw`[+-]?\d{1,3}\.\d{3,12}`;

/** Coordinates in text: decimal pairs, degrees and minutes, ISO 6709, map links, plus codes, and labeled values. */
export const detectCoordinates = detectorOf([
  // Two numbers separated only by a space are coordinates if they are precise: load averages have two decimals.
  new RegExp(String.raw`(?<![\d.])${PRECISE}\s{1,3}${PRECISE}(?![\d.])`, 'g'),
  new RegExp(
    String.raw`(?<![\d.])${SIGNED}\s*°?\s*[NSns]?\s*[,;/|]\s*${SIGNED}(?:\s*°?\s*[EWOewo]\b)?(?![\d.])`,
    'g',
  ),
  new RegExp(
    String.raw`(?<![\d.])\d{1,3}(?:\.\d+)?${AFTER_DEGREES}[NSns]\b\s*[,;/]?\s*\d{1,3}(?:\.\d+)?${AFTER_DEGREES}[EWOewo]\b`,
    'g',
  ),
  new RegExp(
    String.raw`\b[NS]\s?\d{1,3}(?:\.\d+)?${AFTER_DEGREES}[,;/]?\s*[EWO]\s?\d{1,3}(?:\.\d+)?${AFTER_DEGREES}`,
    'g',
  ),
  /(?<![\d.+-])[+-]\d{2,6}(?:\.\d+)?[+-]\d{3,7}(?:\.\d+)?(?:[+-]\d+(?:\.\d+)?)?\//g,
  /\b(?:lat(?:itude)?|lng|lon(?:gitude)?|breite|länge)\w{0,3}["']?\s*[:=]?\s*(?<hide>[+-]?\d{1,3}(?:[.,]\d+)?)/gi,
  /(?:纬度|经度|坐标|北纬|南纬|东经|西经)\s*[:：]?\s*(?<hide>[+-]?\d{1,3}(?:\.\d+)?(?:\s*度|°)?(?:\s*[,，]\s*[+-]?\d{1,3}(?:\.\d+)?)?)/g,
  /(?:[?&@](?:q|ll|center|query|daddr|loc|mlat|mlon)=?|@|geo:)(?<hide>[+-]?\d{1,3}\.\d+,\s*[+-]?\d{1,3}\.\d+)/g,
  /(?<![A-Z\d+])[23456789CFGHJMPQRVWX]{4,8}\+[23456789CFGHJMPQRVWX]{2,3}(?![A-Z\d])/g,
  /(?:\/\/\/|what3words(?:\.com\/|: ?))(?<hide>[a-z]{3,}\.[a-z]{3,}\.[a-z]{3,})/g,
]);

const NAME = String.raw`\p{Lu}[\p{L}.'’-]{0,60}`;
/** Excludes the dash, which separates two parts: a name with dashes can then be split in only one way. */
const PART = String.raw`\p{Lu}[\p{L}.'’]{0,40}`;
const NUMBER = String.raw`\d{1,5}(?:\s?[a-zA-Z](?![\p{L}]))?(?:\s?[-/]\s?\d{1,4})?`;
const AFTER = String.raw`(?:\s{0,8},?\s{0,8}(?:(?:Apt|Apartment|Suite|Unit|Flat|Floor|Fl|Room)\.?\s*#?\s*\w+|#\s?\d+\w?))?(?:\s{0,8},?\s{0,8}(?:[A-Z]{1,2}-)?\d{4,6}\s+${NAME}(?:\s${NAME})?|\s{0,8},\s{0,8}${NAME}(?:\s${NAME})?(?:\s{0,8},?\s{0,8}[A-Z]{2}\s+\d{5}(?:-\d{4})?|\s{0,8},?\s{0,8}[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2})?)?`;
const ENGLISH =
  'Street|St|Avenue|Ave|Road|Rd|Lane|Ln|Drive|Dr|Boulevard|Blvd|Court|Ct|Square|Sq|Way|Terrace|Ter|Place|Pl|Highway|Hwy|Parkway|Pkwy|Close|Crescent|Cres|Gardens|Row|Mews|Hill|Walk|Quay';
const GERMAN =
  'stra(?:ß|ss)e|str\\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee|steig|hof|markt|berg|graben|zeile';
const DUTCH = 'straat|laan|plein|gracht|kade|dijk|singel|gatan|vägen|vej|gade|veien|gata';
const ROMANCE =
  'rue|avenue|av\\.|boulevard|bd\\.?|place|chemin|impasse|all(?:é|e)e|quai|cours|route|Calle|C\\/|Avenida|Avda\\.?|Plaza|Paseo|Camino|Carrer|Ronda|Via|Viale|Piazza|Corso|Largo|Vicolo|Rua|Travessa|Praça|Estrada|ul\\.|ulica|al\\.|plac|Str\\.|Strada|Ulica|Trg';

/** Street addresses in the supported languages, and adjacent postal codes. */
export const detectStreetAddresses = detectorOf([
  new RegExp(
    String.raw`(?<![\p{L}\d])${NUMBER}\s+(?:[NSEW]\.?\s+)?(?:(?:${NAME}|\d{1,3}(?:st|nd|rd|th))\s+){1,4}(?:${ENGLISH})\b\.?${AFTER}`,
    'gu',
  ),
  new RegExp(
    String.raw`(?<![\p{L}])(?:${PART}[ -]){0,3}[\p{L}][\p{L}.'’-]{0,40}(?:${GERMAN}|${DUTCH})\s{0,8},?\s{0,8}${NUMBER}${AFTER}`,
    'giu',
  ),
  new RegExp(
    String.raw`(?<![\p{L}])(?:${PART}[ -]){1,3}(?:Stra(?:ß|ss)e|Str\.|Weg|Platz|Allee|Gasse|Ring|Damm|Ufer|Hof|Markt)\s+${NUMBER}${AFTER}`,
    'gu',
  ),
  new RegExp(
    String.raw`(?<![\p{L}])(?:Am|An der|An den|Im|In der|In den|Auf der|Auf dem|Unter den|Zum|Zur|Beim|Hinter der|Vor dem)\s+${NAME}(?:\s${NAME})?\s+${NUMBER}${AFTER}`,
    'gu',
  ),
  new RegExp(
    String.raw`(?<![\p{L}\d])(?:${NUMBER}(?:\s{0,8}(?:bis|ter|quater))?\s{0,8},?\s{1,8})(?:${ROMANCE})\s{1,8}(?:[\p{L}.'’-]{1,60}\s{0,8}){1,5}(?:,?\s*\d{5}\s+${NAME})?`,
    'giu',
  ),
  new RegExp(
    String.raw`(?<![\p{L}])(?:${ROMANCE})\s{0,8}(?:[\p{L}.'’-]{1,60}\s{1,8}){0,4}[\p{L}.'’-]{1,60}\s{0,8},?\s{0,8}(?:n[.ºo°]{0,3}\s{0,8})?${NUMBER}${AFTER}`,
    'gu',
  ),
  /[\p{Script=Han}\d]{0,12}(?:省|自治区|市|区|县|镇|乡|村|街道|路|街|巷|弄|大道|胡同|里|道)[\p{Script=Han}\d０-９]{0,24}?[\d０-９一二三四五六七八九十百-]{1,8}号(?:院|楼|大厦)?(?:[\p{Script=Han}A-Za-z\d-]{0,20}(?:室|楼|层|单元|栋|幢|座|户|房))*/gu,
  /[\p{Script=Han}\d]{1,16}(?:小区|花园|公寓|大厦|广场|新村|家园|苑|社区)[\p{Script=Han}\dA-Za-z-]{0,12}\d+(?:号楼|栋|幢|座|单元|室|号)[\p{Script=Han}\dA-Za-z-]{0,12}/gu,
  /(?:\b(?:home |postal |street |shipping |delivery |billing )?address|\badresse|\bdirección|\bindirizzo|\badres|\banschrift|\blives? (?:at|in|on)|\bwohnt in(?: der)?|地址|住址|住在|家住|寄往|寄到|送到)\s*(?:is|ist|是|为)?\s*[:：]?\s*(?<hide>(?=[^\n]{0,80}[\d\p{Lu}\p{Script=Han}])[^\n;；。]{3,120})/giu,
  /\b(?:zip|plz|post ?code|postal code|zip code|邮编|邮政编码)\s*[:：.]?\s*(?<hide>[A-Z\d][A-Z\d -]{2,8}[A-Z\d])/gi,
  /邮政?编码?\s*[:：]?\s*(?<hide>\d{6})/g,
  /\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/g,
]);
