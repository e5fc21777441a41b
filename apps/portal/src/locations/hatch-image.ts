const EDGE = 12;

/** Diagonal lines that continue across tiles, so that color is not the only sign. */
export function drawHatch(color: string, pixelRatio: number): ImageData | undefined {
  const canvas = document.createElement('canvas');
  canvas.width = EDGE * pixelRatio;
  canvas.height = EDGE * pixelRatio;
  // Rendered in memory, because reading each image back from the GPU delays frames.
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return undefined;
  context.scale(pixelRatio, pixelRatio);
  context.strokeStyle = color;
  context.lineWidth = 1.2;
  for (const offset of [-EDGE, 0, EDGE]) {
    context.beginPath();
    context.moveTo(offset - 1, EDGE + 1);
    context.lineTo(offset + EDGE + 1, -1);
    context.stroke();
  }
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
