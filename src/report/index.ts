/** The formats, each loaded when it is asked for. */
import type { Render } from './format.js';

export type { Render, RenderOptions } from './format.js';

/** Name → loader, in the order help lists them; `color` matters to text alone. */
export const formats: Readonly<Record<string, (color: boolean) => Promise<Render>>> = {
  text: async (color) => {
    const { text } = await import('./text.js');
    const { colours, plain } = await import('./text-paint.js');
    const paint = color ? await colours() : plain;
    return (report, options) => text(report, options, paint);
  },
  json: async () => (await import('./json.js')).json,
};

/** True when the name is a format’s. */
export function isFormat(name: string): boolean {
  return Object.hasOwn(formats, name);
}
