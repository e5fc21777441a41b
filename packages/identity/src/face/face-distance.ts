/**
 * Euclidean distance of two descriptors: 0 for the same photo. The authors of the model take 0.6 for the border between
 * one person and two; a second step takes less.
 */
export const MAX_FACE_DISTANCE = 0.45;

export function faceDistance(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (const [index, value] of left.entries()) sum += (value - (right[index] ?? 0)) ** 2;
  return Math.sqrt(sum);
}
