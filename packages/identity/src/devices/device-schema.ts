import { z } from 'zod';

const word = z.string().max(256).nullish();
const number = z.number().min(0).max(1_000_000).nullish();
/** JSON text of a browser's lists, which are long. */
const list = z.string().max(16_384).nullish();
const fingerprint = z.string().max(64).nullish();

/** A device as it describes itself (docs/design/sign-in.md, section 3, "Device record"); anything else is left out. */
export const deviceSchema = z.object({
  deviceUniqueId: z
    .string()
    .min(1)
    .max(128)
    .regex(/^[^\0]*$/),
  name: word,
  os: word,
  version: word,
  appCodeName: word,
  vendor: word,
  screenHeight: number,
  screenWidth: number,
  colorDepth: number,
  product: word,
  language: word,
  onLine: z.boolean().nullish(),
  mimeTypes: list,
  mimeTypesLength: number,
  productSub: word,
  cookie: z.union([z.boolean(), z.string().max(4_096)]).nullish(),
  pluginsLength: number,
  plugins: list,
  userAgent: z.string().max(1_024).nullish(),
  type: word,
  browserId: word,
  userAgentFingerprint: fingerprint,
  audioFingerprint: fingerprint,
  canvasFingerprint: fingerprint,
  screenResolutionFingerprint: fingerprint,
  webglFingerprint: fingerprint,
  fontsFingerprint: fingerprint,
  pluginsFingerprint: fingerprint,
});
export type DeviceRecord = z.output<typeof deviceSchema>;
