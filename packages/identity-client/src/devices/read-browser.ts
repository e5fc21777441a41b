import FingerprintJS from '@fingerprintjs/fingerprintjs';

export interface BrowserReading {
  readonly browserId: string;
  /** What the digests are made of. */
  readonly inputs: Readonly<
    Record<
      'userAgent' | 'audio' | 'canvas' | 'screenResolution' | 'webgl' | 'fonts' | 'plugins',
      string
    >
  >;
}

/**
 * Looks at this browser. Version 3 of the library gives a browser the same id that it had with older clients, and does
 * not report to its maker.
 */
export async function readBrowser(): Promise<BrowserReading> {
  const agent = await FingerprintJS.load({ monitoring: false });
  const { visitorId, components } = await agent.get();
  const { audio, canvas, fonts, plugins, screenResolution, videoCard } = components;
  return {
    browserId: visitorId,
    inputs: {
      userAgent: navigator.userAgent,
      audio: String(valueOf(audio) ?? ''),
      canvas: asText(valueOf(canvas)),
      screenResolution: String(valueOf(screenResolution) ?? ''),
      webgl: asText(valueOf(videoCard)),
      fonts: String(valueOf(fonts) ?? ''),
      plugins: asText(valueOf(plugins)),
    },
  };
}

function valueOf(component: { readonly value?: unknown; readonly error?: unknown }): unknown {
  return component.value;
}

function asText(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value);
}
