/** The formats, loaded at first use. */
import { type Targets, unansweredQuestions } from '../facts/report.js';
import type { Render } from './format.js';
import type { Paint } from './text-paint.js';

export { fewNodes, maxReport, type Render, type RenderOptions } from './format.js';

async function paintOf(color: boolean): Promise<Paint> {
  const { colours, plain } = await import('./text-paint.js');
  return color ? await colours() : plain;
}

/** Name → loader, in the order of help; `color` affects text and concise only. */
export const formats: Readonly<Record<string, (color: boolean) => Promise<Render>>> = {
  text: async (color) => {
    const [{ text }, paint] = await Promise.all([import('./text.js'), paintOf(color)]);
    return (report, options) => text(report, options, paint);
  },
  concise: async (color) => (await import('./concise.js')).concise(await paintOf(color)),
  json: async () => (await import('./json.js')).json,
  ndjson: async () => (await import('./ndjson.js')).ndjson,
  sarif: async () => (await import('./sarif.js')).sarif,
  junit: async () => (await import('./junit.js')).junit,
  github: async () => (await import('./github.js')).github,
  gitlab: async () => (await import('./gitlab.js')).gitlab,
  rdjson: async () => (await import('./rdjson.js')).rdjson,
  checkstyle: async () => (await import('./checkstyle.js')).checkstyle,
  markdown: async () => (await import('./markdown.js')).markdown,
  html: async () => (await import('./html.js')).html,
  csv: async () => (await import('./csv.js')).csv,
};

/** Formats that `report` reads again. Only they hold the open questions that were acknowledged. */
export const readable: ReadonlySet<string> = new Set(['json', 'ndjson']);

export async function renderOf(name: string, color: boolean): Promise<Render> {
  const loader = formats[name];
  if (loader === undefined) throw new Error(`no format ${name}`);
  const render = await loader(color);
  if (readable.has(name)) return render;
  return (report, options) => render({ ...report, targets: withoutAcknowledged(report.targets) }, options);
}

function withoutAcknowledged(targets: Targets): Targets {
  return {
    async *[Symbol.asyncIterator]() {
      for await (const target of targets) {
        const open = unansweredQuestions(target);
        yield open.length === target.undetermined.length ? target : { ...target, undetermined: open };
      }
    },
  };
}

/** Formats that show edits; text only those of the first `fewNodes` targets, or all with --verbose. */
export const showingEdits: ReadonlySet<string> = new Set([
  'text',
  ...readable,
  'sarif',
  'rdjson',
  'markdown',
  'html',
]);

export function isFormat(name: string): boolean {
  return Object.hasOwn(formats, name);
}
