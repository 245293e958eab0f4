/** The report's type and its JSON Schema are one: this file does not compile where they differ. */
import type { Report } from '../../../src/node/facts/report.js';
import type { reportSchema } from '../../../src/node/report/schema.js';

/** What a schema admits, as far as the report's schema goes. */
type Admitted<S> = S extends { readonly const: infer Value }
  ? Value
  : S extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : S extends { readonly anyOf: readonly (infer One)[] }
      ? One extends unknown
        ? Admitted<One>
        : never
      : S extends { readonly type: infer Type }
        ? Typed<S, Type extends readonly (infer One)[] ? One : Type>
        : never;

type Typed<S, Type> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Type extends 'array'
          ? S extends { readonly items: infer Item }
            ? readonly Admitted<Item>[]
            : never
          : Members<S>;

type Members<S> = S extends { readonly properties: object; readonly additionalProperties: object }
  ? Members<Omit<S, 'additionalProperties'>> & Record<string, unknown>
  : S extends { readonly properties: infer P; readonly required: readonly (infer R)[] }
    ? { [K in keyof P as K extends R ? K : never]: Admitted<P[K]> } & {
        [K in keyof P as K extends R ? never : K]?: Admitted<P[K]>;
      }
    : S extends { readonly additionalProperties: infer Value }
      ? Record<string, Admitted<Value>>
      : Record<string, unknown>;

/** One written form for equal types. */
type Plain<T> = T extends readonly (infer One)[]
  ? Plain<One>[]
  : T extends object
    ? { -readonly [K in keyof T]: Plain<T[K]> }
    : T;

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

export const same: Equal<Plain<Report>, Plain<Admitted<ReturnType<typeof reportSchema>>>> = true;
