import FingerprintJS from '@fingerprintjs/fingerprintjs';

export interface BrowserReading {
  readonly browserId: string;
  /** Inputs of the digests. */
  readonly inputs: Readonly<
    Record<
      'userAgent' | 'audio' | 'canvas' | 'screenResolution' | 'webgl' | 'fonts' | 'plugins',
      string
    >
  >;
}

/**
 * Reads the characteristics of this browser. Version 3 of FingerprintJS keeps the ids that older
 * clients computed and sends no data to its vendor.
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
