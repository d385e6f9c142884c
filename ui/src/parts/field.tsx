/** A text field with its label, help text and error message. */

import type { Ref } from "react";
import { FieldError } from "react-aria-components/FieldError";
import { Input } from "react-aria-components/Input";
import { Label } from "react-aria-components/Label";
import { Text } from "react-aria-components/Text";
import { TextArea } from "react-aria-components/TextArea";
import { TextField, type TextFieldProps } from "react-aria-components/TextField";

interface Props extends Omit<TextFieldProps, "className" | "children"> {
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  lines?: number;
  placeholder?: string;
  input?: Ref<HTMLInputElement>;
  className?: string;
}

export function Field({ label, help, error, lines = 1, placeholder, input, className = "", ...props }: Props) {
  return (
    <TextField className={`field ${className}`} {...(error !== undefined && { isInvalid: true })} {...props}>
      <Label>{label}</Label>
      {lines > 1 ? (
        <TextArea rows={lines} {...(placeholder && { placeholder })} />
      ) : (
        <Input {...(input && { ref: input })} {...(placeholder && { placeholder })} spellCheck={false} />
      )}
      {help && !error && (
        <Text slot="description" className="help">
          {help}
        </Text>
      )}
      <FieldError className="error">{error}</FieldError>
    </TextField>
  );
}
