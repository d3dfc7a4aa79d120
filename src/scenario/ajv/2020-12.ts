import { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { type Compiler, OPTIONS } from "./compiler.ts";

export function compiler(): Compiler {
  return new Ajv2020({ ...OPTIONS, formats: fullFormats });
}
