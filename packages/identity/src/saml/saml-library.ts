import { createRequire } from 'node:module';

// The libraries' types include browser globals for the whole server, so the used parts are declared
// here.
const require = createRequire(import.meta.url);

/** Of samlify: what was read out of a message. */
export interface SamlExtract {
  readonly request?: Readonly<Record<string, string | string[]>>;
}

/** As samlify is given a message: fields as sent, and of a redirect the very text that was signed. */
export interface SamlMessage {
  readonly query?: object;
  readonly body?: object;
  readonly octetString?: string;
}

interface ParsedSaml {
  readonly extract: SamlExtract;
}

export type SamlServiceProvider = object;

export interface SamlIdentityProvider {
  getMetadata(): string;
  /** @throws Error of the schema validator, the signature or the issuer */
  parseLoginRequest(
    sp: SamlServiceProvider,
    binding: string,
    message: SamlMessage,
  ): Promise<ParsedSaml>;
  parseLogoutRequest(
    sp: SamlServiceProvider,
    binding: string,
    message: SamlMessage,
  ): Promise<ParsedSaml>;
  createLoginResponse(
    sp: SamlServiceProvider,
    request: null,
    binding: 'post',
    user: object,
    options: {
      readonly customTagReplacement: () => { readonly id: string; readonly context: string };
    },
  ): Promise<{ readonly context: string }>;
  createLogoutResponse(
    sp: SamlServiceProvider,
    request: ParsedSaml,
    binding: 'redirect',
    relayState: string,
  ): { readonly context: string };
}

interface Samlify {
  setSchemaValidator(validator: { validate(xml: string): Promise<string> }): void;
  IdentityProvider(settings: object): SamlIdentityProvider;
  ServiceProvider(settings: object): SamlServiceProvider;
}

let samlify: Samlify | undefined;

/**
 * Loads the library with the first call, so that a server is ready sooner.
 * @param validate asked before the library believes anything of a message; throws for what is none
 */
export function loadSamlify(validate: (xml: string) => Promise<unknown>): Samlify {
  if (samlify === undefined) {
    samlify = require('samlify') as Samlify;
    samlify.setSchemaValidator({
      validate: async (xml) => {
        await validate(xml);
        return 'ok';
      },
    });
  }
  return samlify;
}

/** The parts of a document that the guard checks. */
export interface XmlElement {
  readonly nodeType: number;
  readonly localName: string | null;
  readonly namespaceURI: string | null;
  readonly parentNode: XmlElement | null;
  readonly childNodes: ArrayLike<XmlElement>;
  readonly textContent: string | null;
  getAttribute(name: string): string | null;
  getElementsByTagName(name: '*'): ArrayLike<XmlElement>;
}

type Complain = (message: string) => void;

export const { DOMParser: XmlParser } = require('@xmldom/xmldom') as {
  DOMParser: new (options: {
    readonly errorHandler: Readonly<Record<'warning' | 'error' | 'fatalError', Complain>>;
  }) => {
    parseFromString(
      xml: string,
      type: 'text/xml',
    ): { readonly documentElement: XmlElement | null } | undefined;
  };
};
