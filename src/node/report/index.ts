/** The formats; colours are loaded when they are asked for. */
import type { Render } from './format.js';
import { json } from './json.js';
import { text } from './text.js';
import { colours, plain } from './text-paint.js';

export type { Render, RenderOptions } from './format.js';

/** Name → what makes it, in the order help lists them; `color` matters to text alone. */
export const formats: Readonly<Record<string, (color: boolean) => Promise<Render>>> = {
  text: async (color) => {
    const paint = color ? await colours() : plain;
    return (report, options) => text(report, options, paint);
  },
  json: async () => json,
};

/** True when the name is a format’s. */
export function isFormat(name: string): boolean {
  return Object.hasOwn(formats, name);
}
