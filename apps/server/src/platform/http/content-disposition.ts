/** A download (RFC 6266), with an ASCII fallback name and the actual one in UTF-8. */
export function contentDisposition(name: string): string {
  const plain = name.replaceAll(/[^\w. -]/g, '_');
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}
