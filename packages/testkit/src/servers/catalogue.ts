#!/usr/bin/env node
import { createCatalogueServer } from './catalogue-server.ts'
import { serveModern } from './serve-modern.ts'

void serveModern(createCatalogueServer)
