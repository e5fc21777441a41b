import ipaddr from 'ipaddr.js';
import { spansOf, type TextSpan } from './text-span.ts';

/** Excludes four-part product versions. */
const IPV4 =
  /(?<![\d.])(?<!\b(?:version|firmware|release|build)[ :]{1,2})(?:\d{1,3}\.){3}\d{1,3}(?![\d]|\.\d)/gi;
/** Possible IPv6 addresses (RFC 4291, section 2.2), with a zone (RFC 4007); the parser decides. */
const IPV6 =
  /(?<![\w:.])(?=[\da-f:]{0,40}:[\da-f]{0,4}:)[\da-f:]{2,45}(?:(?:\d{1,3}\.){3}\d{1,3})?(?:%[\w.-]{1,16})?(?![\w:])/gi;
/**
 * EUI-48 and EUI-64 with colons, dashes, dots, or no separators (IEEE 802; without separators only after a keyword).
 */
const MAC =
  /(?<![\da-f:-])(?:[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}[\da-f]{2}(?:\1[\da-f]{2}){0,2}|(?:[\da-f]{4}\.){2}[\da-f]{4}(?:\.[\da-f]{4})?)(?![\da-f:-])/gi;
const NAMED =
  /\b(?:mac|bssid|ether|hwaddr|lladdr|eui)(?:[-_ ]?addr(?:ess)?)?["']?\s*[:=]?\s*(?<hide>[\da-f]{12})(?![\da-f])/gi;
const CHINESE_MAC = /(?:物理|网卡|MAC)\s*地址\s*[:：]?\s*(?<hide>[\da-f]{12})(?![\da-f])/gi;
const WIFI =
  /\b(?:e?ssid|hostname|host[-_ ]name|fqdn)["']?\s*[:=]\s*(?<hide>"[^"\n]{0,100}"?|'[^'\n]{0,100}'?|[^\s,;}]+)/gi;
const CHINESE_WIFI =
  /(?:无线网络|Wi-?Fi|主机)(?:名称|名|热点)?\s*[:：]\s*(?<hide>[^\s,，;；。]+)/gi;

/** Network addresses, hardware addresses, host names, and names of wireless networks. */
export function detectNetworks(text: string): TextSpan[] {
  const patterns = [MAC, NAMED, CHINESE_MAC, WIFI, CHINESE_WIFI];
  return [
    ...spansOf(IPV4, text).filter((span) =>
      ipaddr.IPv4.isValidFourPartDecimal(text.slice(span.from, span.to)),
    ),
    ...spansOf(IPV6, text).flatMap((span) => addressIn(text, span)),
    ...patterns.flatMap((pattern) => spansOf(pattern, text)),
  ];
}

/** A trailing colon belongs to the sentence, not to the address. */
function addressIn(text: string, { from, to }: TextSpan): TextSpan[] {
  const found = text.slice(from, to);
  if (ipaddr.IPv6.isValid(found)) return [{ from, to }];
  return found.endsWith(':') && ipaddr.IPv6.isValid(found.slice(0, -1))
    ? [{ from, to: to - 1 }]
    : [];
}
