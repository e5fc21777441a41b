/** Pages of the portal under the origin of a session, instead of a page of the device. */

export type PageMessage =
  | 'no-link'
  | 'link-used'
  | 'ended'
  | 'foreign'
  | 'not-forwarded'
  | 'no-web-socket'
  | 'busy'
  | 'too-large'
  | 'no-server'
  | 'too-slow'
  | 'broken';

type Words = readonly [title: string, body: string];

const english: Readonly<Record<PageMessage, Words>> = {
  'no-link': [
    'Open this page from Device Portal',
    'This address works only in the browser in which it was opened from the device in Device Portal.',
  ],
  'link-used': [
    'This link no longer works',
    'A link works once and for one minute. Open the page again from the device in Device Portal.',
  ],
  ended: [
    'This session has ended',
    'To continue, open the web page again from the device in Device Portal.',
  ],
  foreign: [
    'Request rejected',
    'Only pages of this device can link here. Open the page from the device in Device Portal.',
  ],
  'not-forwarded': ['Request rejected', 'Requests of this kind are not forwarded to devices.'],
  'no-web-socket': ['WebSocket not supported', 'WebSockets are not forwarded to devices.'],
  busy: ['Too many requests', 'This session has too many requests in progress. Try again later.'],
  'too-large': ['Request too large', 'The request is larger than what is forwarded to devices.'],
  'no-server': ['No web server', 'No web server answers at this port of the device.'],
  'too-slow': ['No response', 'The web server of the device did not respond in time.'],
  broken: ['Invalid response', 'The response of the device is not valid, or has ended early.'],
};

const chinese: Readonly<Record<PageMessage, Words>> = {
  'no-link': [
    '请从 Device Portal 打开此页面',
    '此地址仅在从 Device Portal 设备页面打开它的浏览器中有效。',
  ],
  'link-used': [
    '此链接已失效',
    '链接仅可使用一次，有效期为一分钟。请在 Device Portal 的设备页面重新打开。',
  ],
  ended: ['会话已结束', '如需继续，请在 Device Portal 的设备页面重新打开该网页。'],
  foreign: ['请求被拒绝', '仅此设备的页面可以链接到此处。请在 Device Portal 的设备页面打开。'],
  'not-forwarded': ['请求被拒绝', '此类请求不会转发到设备。'],
  'no-web-socket': ['不支持 WebSocket', 'WebSocket 不会转发到设备。'],
  busy: ['请求过多', '此会话正在处理的请求过多。请稍后重试。'],
  'too-large': ['请求过大', '请求超过可转发到设备的大小。'],
  'no-server': ['没有 Web 服务器', '设备的此端口上没有 Web 服务器响应。'],
  'too-slow': ['没有响应', '设备的 Web 服务器未及时响应。'],
  broken: ['响应无效', '设备的响应无效，或提前结束。'],
};

/** @param language the header `Accept-Language` */
export function messagePage(message: PageMessage, language: string | undefined): string {
  const isChinese = /^\s*zh\b/i.test(language ?? '');
  const [title, body] = (isChinese ? chinese : english)[message];
  return `<!doctype html>
<html lang="${isChinese ? 'zh-CN' : 'en'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body><main><h1>${title}</h1><p>${body}</p></main></body>
</html>
`;
}
