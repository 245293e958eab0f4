/** Containers whose image cannot be known, with words that only a node or another client has. */
import { otherOfFlags } from '../../../kinds/others.js';
import { blockAt, wordsIn } from '../blocks.js';
import { isOther, startOf } from '../names.js';
import type { Vocabulary } from '../vocabulary.js';
import { startSign } from './other-start.js';
import { inComment, type Sign, signAt } from './sign.js';

/** An image that is a variable without a default, a placeholder, or blank. */
const unknown =
  /(?<![\w.-])image["']?[ \t]*:[ \t]*(?:(["'])[ \t]*\1|["']?(\$\w+|\$\{\w+\}|\{\{[^}\n]*\}\})[^\s"']*["']?)[ \t]*(?:#.*)?$/gm;
const names = /(?<![\w.-])(?:(?:container_|host)?name|hostname)["']?[ \t]*:[ \t]*["']?([\w.-]+)/g;
/** The usual ports of http, ws and the engine API, where a container has its ports. */
const ports =
  /(?:\bcontainerPort["']?[ \t]*:[ \t]*|(?:^[ \t]*-|[[,])[ \t]*["']?(?:[\w.${}[\]-]+:){0,2})(8545|8546|8551|8552)(?![\d:])/gm;
const variables = /(?<![\w$.{-])(?:RPC|WS|HTTP)_(?:ENABLE|API)(?=["']?[ \t]*[:=])/g;

/** The image does not decide which program runs. */
const ownCommand =
  /(?<![\w.-])(?:entrypoint["']?[ \t]*:|command["']?[ \t]*:[ \t]*(?:[|>]-?)?[\s"'[-]*(?:\/\S*\/)?(?:ba)?sh\b)/;

/** The containers of a text, in the order of their places. */
export function containerSigns({ words }: Vocabulary, text: string): Sign[] {
  return [...text.matchAll(unknown)].flatMap(({ 0: whole, 2: image = '', index }): Sign[] => {
    const start = index + (image === '' ? 0 : Math.max(0, whole.indexOf(image)));
    if (inComment(text, start)) return [];
    const within = blockAt(text, index);
    const around = text.slice(within.start, within.end);
    const own = wordsIn(around);
    const kinds = words().map(({ kind }) => kind);
    const service = /([\w.-]+)["']?:[ \t]*\r?\n$/.exec(
      text.slice(Math.max(0, within.start - 200), within.start),
    );
    const named = [image, service?.[1] ?? '', ...[...around.matchAll(names)].map(([, name = '']) => name)]
      .filter((name) => !isOther(name))
      .map((name) => startOf(kinds, name)?.starts)
      .find((one) => one !== undefined);
    const flags = words().flatMap((one) =>
      own.filter((word) => one.flags.has(/^--?([\w.-]+)/.exec(word ?? '')?.[1] ?? '')),
    );
    const signs = new Set([
      ...flags,
      ...[...around.matchAll(ports)].map(([, port]) => port),
      ...(around.match(variables) ?? []),
    ]);
    const starts = (ownCommand.test(around) ? null : named) ?? otherOfFlags(own);
    if (starts === null && signs.size < 2) return [];
    const sign = signAt('container', start, image, { within, words: [...own, null] });
    return starts === null ? [sign] : startSign(text, sign, starts, within);
  });
}
