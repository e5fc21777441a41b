import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import type { OpenProvider } from './open-provider.ts';

/** Its types describe a module with a default; what Node imports is the function. */
const readQrCode = jsqr as unknown as typeof jsqr.default;

/** A phone's browser, as far as the page without scripts needs one: cookies, forms and where it came from. */
export interface Phone {
  open(url: string): Promise<PhoneReply>;
  press(
    url: string,
    action: string,
    fields?: Readonly<Record<string, string>>,
    origin?: string | null,
  ): Promise<PhoneReply>;
  /** Signs in on the page, with the code that comes by e-mail. */
  signIn(url: string, email: string): Promise<PhoneReply>;
}

export interface PhoneReply {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}

export function createPhone(idp: OpenProvider, language = 'en'): Phone {
  let cookie = '';
  const send = async (url: string, init: RequestInit = {}): Promise<PhoneReply> => {
    const headers = {
      'accept-language': language,
      ...(cookie && { cookie }),
      ...(init.headers as Record<string, string>),
    };
    const reply = await fetch(url, { ...init, headers, redirect: 'manual' });
    const set = reply.headers.get('set-cookie');
    if (set !== null) cookie = set.split(';', 1)[0] ?? '';
    return { status: reply.status, html: await reply.text(), headers: reply.headers };
  };
  const press: Phone['press'] = (url, action, fields = {}, origin = new URL(idp.host).origin) =>
    send(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(origin !== null && { origin }),
      },
      body: new URLSearchParams({ ...fields, action }).toString(),
    });
  return {
    open: (url) => send(url),
    press,
    async signIn(url, email) {
      await press(url, 'identify', { account: email });
      const reply = await press(url, 'signIn', { account: email, code: idp.codeFor(email) });
      return reply.status === 303 ? send(url) : reply;
    },
  };
}

/** Reads the address in a picture of a QR code, as a camera does. */
export async function scanPicture(pictureUrl: string): Promise<string> {
  const reply = await fetch(pictureUrl);
  const png = PNG.sync.read(Buffer.from(await reply.arrayBuffer()));
  const found = readQrCode(new Uint8ClampedArray(png.data), png.width, png.height);
  if (found === null) throw new Error('no QR code in the picture');
  return found.data;
}
