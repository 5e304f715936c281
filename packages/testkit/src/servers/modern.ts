#!/usr/bin/env node
import { createModernServer } from './modern-server.ts'
import { serveModern } from './serve-modern.ts'

void serveModern(createModernServer)
