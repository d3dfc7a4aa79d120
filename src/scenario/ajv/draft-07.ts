import { Ajv } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { type Compiler, OPTIONS } from "./compiler.ts";

export function compiler(): Compiler {
  return new Ajv({ ...OPTIONS, formats: fullFormats });
}
