import { Ajv2019 } from "ajv/dist/2019.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { type Compiler, OPTIONS } from "./compiler.ts";

export function compiler(): Compiler {
  return new Ajv2019({ ...OPTIONS, formats: fullFormats });
}
