//! The requests, by their method.

use super::session::{EditorSession, RequestError, read};
use crate::actions::actions;
use crate::completion::completion;
use crate::document::TextDocument;
use crate::hover::hover;
use crate::lookup::NameLookup;
use crate::navigation::{definition, references, symbols};
use crate::rename;
use crate::subject::{TextSubject, subject};
use lsp_server::Request;
use lsp_types::request::{
    CodeActionRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest, GotoDefinition,
    HoverRequest, PrepareRenameRequest, References, Rename, Request as _,
};
use lsp_types::{
    CodeActionOrCommand, CodeActionParams, CompletionParams, Diagnostic, DocumentHighlight,
    DocumentHighlightParams, DocumentSymbolParams, DocumentSymbolResponse, GotoDefinitionParams, Hover,
    HoverContents, HoverParams, MarkupContent, MarkupKind, PrepareRenameResponse, ReferenceParams,
    RenameParams, TextDocumentPositionParams, TextEdit, WorkspaceEdit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError};

impl EditorSession {
    /// The answer to a request.
    pub(super) fn requested(&mut self, request: Request) -> Result<Value, RequestError> {
        let Request { method, params, .. } = request;
        match method.as_str() {
            Completion::METHOD => self.with(&method, params, Self::completion),
            HoverRequest::METHOD => self.with(&method, params, Self::hover),
            GotoDefinition::METHOD => self.with(&method, params, Self::definition),
            References::METHOD => self.with(&method, params, Self::references),
            DocumentHighlightRequest::METHOD => self.with(&method, params, Self::highlights),
            DocumentSymbolRequest::METHOD => self.with(&method, params, Self::symbols),
            CodeActionRequest::METHOD => self.with(&method, params, Self::actions),
            PrepareRenameRequest::METHOD => self.with(&method, params, Self::prepare_rename),
            Rename::METHOD => self.with(&method, params, Self::rename),
            _ => Err(RequestError::Unknown(method)),
        }
    }

    fn with<P: DeserializeOwned, R: Serialize>(
        &mut self,
        method: &str,
        parameters: Value,
        answer: impl FnOnce(&mut Self, P) -> Result<R, RequestError>,
    ) -> Result<Value, RequestError> {
        let wrong = |error: serde_json::Error| RequestError::Parameters {
            method: method.to_owned(),
            reason: error.to_string(),
        };
        let result = answer(self, read(parameters).map_err(wrong)?)?;
        serde_json::to_value(result).map_err(wrong)
    }

    /// The text of a request, and the offset of its position there.
    fn place(&self, at: &TextDocumentPositionParams) -> Result<(Arc<TextDocument>, usize), RequestError> {
        let document = self.document(&at.text_document.uri)?;
        let offset = document.lines.offset(&document.text, at.position, self.editor.encoding);
        Ok((document, offset))
    }

    /// The key, name or file at the position of a request.
    fn subject(
        &self,
        at: &TextDocumentPositionParams,
    ) -> Result<(Arc<TextDocument>, Option<TextSubject>), RequestError> {
        let (document, offset) = self.place(at)?;
        let found = subject(&document, &NameLookup::of(&self.workspace, &document), offset);
        Ok((document, found))
    }

    fn completion(&mut self, parameters: CompletionParams) -> Result<impl Serialize + use<>, RequestError> {
        let (document, offset) = self.place(&parameters.text_document_position)?;
        Ok(completion(&self.workspace, &document, offset, self.channels(), self.editor))
    }

    fn hover(&mut self, parameters: HoverParams) -> Result<impl Serialize + use<>, RequestError> {
        let (document, offset) = self.place(&parameters.text_document_position_params)?;
        let names = NameLookup::of(&self.workspace, &document);
        let run = document.path.as_deref().and_then(|path| {
            self.runs.refresh(path);
            self.runs.of(path)
        });
        let found = subject(&document, &names, offset);
        let documentation =
            found.and_then(|found| Some((hover(&document, &names, &found, run.as_deref())?, found.span)));
        Ok(documentation.map(|(value, span)| Hover {
            contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
            range: Some(document.lines.range(&document.text, &span, self.editor.encoding)),
        }))
    }

    fn definition(
        &mut self,
        parameters: GotoDefinitionParams,
    ) -> Result<impl Serialize + use<>, RequestError> {
        let (document, found) = self.subject(&parameters.text_document_position_params)?;
        Ok(found.and_then(|found| definition(&self.workspace, &document, &found, self.editor.encoding)))
    }

    fn references(&mut self, parameters: ReferenceParams) -> Result<impl Serialize + use<>, RequestError> {
        let (document, found) = self.subject(&parameters.text_document_position)?;
        let with_given = parameters.context.include_declaration;
        Ok(found.map(|found| references(&document, &found, with_given, self.editor.encoding)))
    }

    fn highlights(
        &mut self,
        parameters: DocumentHighlightParams,
    ) -> Result<impl Serialize + use<>, RequestError> {
        let (document, found) = self.subject(&parameters.text_document_position_params)?;
        let all = found.map(|found| references(&document, &found, true, self.editor.encoding));
        let highlight = |place: lsp_types::Location| DocumentHighlight { range: place.range, kind: None };
        Ok(all.map(|all| all.into_iter().map(highlight).collect::<Vec<_>>()))
    }

    fn symbols(&mut self, parameters: DocumentSymbolParams) -> Result<impl Serialize + use<>, RequestError> {
        let document = self.document(&parameters.text_document.uri)?;
        Ok(DocumentSymbolResponse::Nested(symbols(&document, self.editor.encoding)))
    }

    fn actions(&mut self, parameters: CodeActionParams) -> Result<impl Serialize + use<>, RequestError> {
        let document = self.document(&parameters.text_document.uri)?;
        let mut found = parameters.context.diagnostics;
        // Some editors do not return the data of a diagnostic.
        let published = self.checker.published.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((version, sent)) = published.get(document.uri.as_str())
            && *version == document.version
        {
            for diagnostic in found.iter_mut().filter(|diagnostic| diagnostic.data.is_none()) {
                let is_same = |other: &&Diagnostic| {
                    other.range == diagnostic.range && other.message == diagnostic.message
                };
                diagnostic.data = sent.iter().find(is_same).and_then(|other| other.data.clone());
            }
        }
        let all = actions(&document, &found, self.editor.encoding);
        Ok(all.into_iter().map(CodeActionOrCommand::CodeAction).collect::<Vec<_>>())
    }

    fn prepare_rename(
        &mut self,
        parameters: TextDocumentPositionParams,
    ) -> Result<impl Serialize + use<>, RequestError> {
        let (document, offset) = self.place(&parameters)?;
        let names = NameLookup::of(&self.workspace, &document);
        let (own, span) = rename::at(&document, &names, offset)?;
        let range = document.lines.range(&document.text, &span, self.editor.encoding);
        Ok(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder: own.name })
    }

    #[expect(clippy::mutable_key_type, reason = "the type of the protocol; its keys do not change")]
    fn rename(&mut self, parameters: RenameParams) -> Result<impl Serialize + use<>, RequestError> {
        let (document, offset) = self.place(&parameters.text_document_position)?;
        let names = NameLookup::of(&self.workspace, &document);
        let (own, _) = rename::at(&document, &names, offset)?;
        let edits = rename::edits(&document, &names, &own, &parameters.new_name)?.into_iter();
        let edits = edits.map(|(span, new_text)| TextEdit {
            range: document.lines.range(&document.text, &span, self.editor.encoding),
            new_text,
        });
        let changes = HashMap::from([(document.uri.clone(), edits.collect())]);
        Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
    }
}
