/** Colors of the light theme. Each is also expressed by a word or a shape. */
export const pdfColors = {
  text: '#16191f',
  muted: '#5f6b7a',
  line: '#c6c6cd',
  shade: '#f1f1f5',
  land: '#e4e7ea',
  sea: '#f7f9fb',
  error: '#b3001b',
  warning: '#8a5a00',
  success: '#0b6e2e',
  neutral: '#5f6b7a',
  online: '#1f8b4c',
  degraded: '#d99a00',
  offline: '#8c1d2f',
  gap: '#8c8c94',
} as const;
export type PdfColor = keyof typeof pdfColors;
